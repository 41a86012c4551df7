import type { TreeItem } from 'vscode';
import { oneLine, visibleText } from './outsideText';

/** A row whose texts show every character that is in them. A tooltip in Markdown has seen to that itself. */
export function visibleItem(item: TreeItem): TreeItem {
  if (typeof item.label === 'string') item.label = oneLine(item.label);
  if (typeof item.description === 'string') item.description = oneLine(item.description);
  if (typeof item.tooltip === 'string') item.tooltip = visibleText(item.tooltip);
  if (item.accessibilityInformation !== undefined) {
    const { label, ...others } = item.accessibilityInformation;
    item.accessibilityInformation = { ...others, label: oneLine(label) };
  }
  return item;
}

import { l10n, type QuickPickItem, QuickPickItemKind, ThemeIcon } from 'vscode';
import type { CheckedSource } from '../../tasks/sending/checkedSource';
import type { LeftOutItem } from '../files/leftOut';
import { formatCount, formatSize } from '../platform/formatNumbers';
import type { Picks } from '../platform/window';

/** Lists the files of an import and what it leaves out, with the reasons, until the user closes the list. */
export function showFiles(
  picks: Picks,
  title: string,
  checked: readonly CheckedSource[],
  leftOut: readonly LeftOutItem[],
): Promise<void> {
  const files = checked.map(({ source }) => ({
    label: source.relativePath,
    description: formatSize(source.sizeBytes),
    iconPath: new ThemeIcon('check'),
  }));
  const others = leftOut.map(({ name, why }) => ({
    label: name,
    description: why,
    iconPath: new ThemeIcon('circle-slash'),
  }));
  const rows: readonly QuickPickItem[] = [
    heading(l10n.t('Files to import: {0}', formatCount(files.length))),
    ...files,
    ...(others.length === 0 ? [] : [heading(l10n.t('Skipped: {0}', formatCount(others.length))), ...others]),
  ];
  return picks.table({
    title,
    placeHolder: l10n.t('Type to filter the files. Press Enter or Escape to go back.'),
    rows: () => rows,
    isActive: (row) => row === rows[1],
    choose: () => true,
  });
}

function heading(label: string): QuickPickItem {
  return { label, kind: QuickPickItemKind.Separator };
}

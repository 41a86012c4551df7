import type { TreeItem } from 'vscode';

/**
 * Escapes untrusted text: file, folder and dataset names, service responses, and error causes. Each surface needs its
 * own kind of escaping. `window` escapes text in messages, dialogs, Quick Picks, input boxes, progress and the status
 * bar, `visibleItem` escapes tree rows, and `Messages` escapes the log.
 */

/**
 * Matches control, bidirectional, zero-width and other invisible characters, except variation selectors, the joiners that
 * emoji and some scripts need, and the character that `disarmed` inserts.
 */
const INVISIBLE = new RegExp(
  [
    '(?![\\n\\t]|\\p{Variation_Selector})',
    '(?!(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d\\p{Extended_Pictographic})',
    '(?!(?<=[\\p{scx=Arabic}\\p{scx=Devanagari}\\p{scx=Bengali}\\p{scx=Malayalam}\\p{scx=Sinhala}])[\\u200c\\u200d])',
    '(?!(?<=[\\]$])\\u2060\\()',
    '[\\p{Cc}\\p{Cs}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\ufff9-\\ufffb]',
  ].join(''),
  'gu',
);

/**
 * For documents and multi-line text: replaces invisible and reordering characters with escapes such as \u202e. Keeps line
 * breaks, tabs, and the joiners that emoji and some scripts need.
 */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    character === '\r' ? '\\r' : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** For rows, names in lists, and the log: like `visibleText`, but on one line. */
export function oneLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/**
 * For messages, progress, the status bar and Quick Picks: like `oneLine`, but without links and icons. In these places,
 * VS Code renders `[text](command:…)` as a link that runs a command, and `$(name)` as an icon. Inserting an invisible
 * character prevents both.
 */
export function plainText(text: string): string {
  return disarmed(oneLine(text));
}

/** For a dialog's detail: like `plainText`, but keeps line breaks. */
export function plainLines(text: string): string {
  return disarmed(visibleText(text));
}

/** For generated documents: a one-line path in `folder`, with slashes in the name replaced. */
export function documentPath(name: string, folder = '/'): string {
  return folder + oneLine(name).replaceAll(/[\\/]/g, '_');
}

function disarmed(text: string): string {
  return text.replaceAll(/(?<=[\]$])\(/g, '\u2060(');
}

/** Rows and messages show at most this many characters of text from a service. Details show the whole response. */
const SHOWN_CHARACTERS = 300;

/** Truncates text from a service with an ellipsis if it is too long. */
export function shortText(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  // Don't cut a surrogate pair in half.
  return `${text.slice(0, SHOWN_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Escapes a tree item's label, description, tooltip and accessibility label. */
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

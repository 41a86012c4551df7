/**
 * The one door for text that others wrote: names of files, folders and datasets, what a service says, causes of
 * errors. Each surface has its form here. `window` takes care of messages, dialogs, Quick Picks, input boxes, progress
 * and the status bar, `visibleItem` of rows, and `Messages` of the log.
 */

/**
 * For documents and for texts of several lines: escapes such as \u202e in place of whatever does not show or reorders
 * the line around it. Line breaks, tabs, and what joins an emoji or letters of one script stay.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) =>
    character === '\r' ? '\\r' : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

/** For rows, names in lists, and the log: as `visibleText`, in one line. */
export function oneLine(text: string): string {
  return visibleText(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/**
 * For messages, progress, the status bar and Quick Picks: as `oneLine`, without links and icons. VS Code makes links of
 * `[words](command:…)` there, which run commands, and icons of `$(name)`; an unseen character keeps it from both.
 */
export function plainText(text: string): string {
  return disarmed(oneLine(text));
}

/** For the detail of a dialog: as `plainText`, its lines kept. */
export function plainLines(text: string): string {
  return disarmed(visibleText(text));
}

/** For Markdown: as `visibleText`, to the letter, with its spaces and line breaks, without a link. */
export function plainMarkdown(text: string): string {
  return visibleText(text.replaceAll('\r\n', '\n'))
    .trim()
    .replaceAll(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll(/\s*\n\s*/g, '\n')
    .replaceAll(/[ \t](?=[ \t])/g, '&nbsp;')
    .replaceAll('\n', '  \n');
}

function disarmed(text: string): string {
  return text.replaceAll(/(?<=[\]$])\(/g, '\u2060(');
}

/**
 * Control, bidirectional, zero-width and other characters that do not show; but not the joiners inside an emoji and in
 * scripts that are written with them, variation selectors, and what `disarmed` put in.
 */
const UNSEEN = new RegExp(
  [
    '(?![\\n\\t]|\\p{Variation_Selector})',
    '(?!(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d\\p{Extended_Pictographic})',
    '(?!(?<=[\\p{scx=Arabic}\\p{scx=Devanagari}\\p{scx=Bengali}\\p{scx=Malayalam}\\p{scx=Sinhala}])[\\u200c\\u200d])',
    '(?!(?<=[\\]$])\\u2060\\()',
    '[\\p{Cc}\\p{Cs}\\p{Bidi_Control}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\ufff9-\\ufffb]',
  ].join(''),
  'gu',
);

/** As much of what a service says stands in a row or a message; its whole response can be opened. */
export const SHOWN_CHARACTERS = 300;

/** A text of the service for people, with an ellipsis where it was cut. */
export function shortText(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  // A character of two code units is not cut in half.
  return `${text.slice(0, SHOWN_CHARACTERS).replace(/[\ud800-\udbff]$/, '')}…`;
}

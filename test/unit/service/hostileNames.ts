/** File names that may break a form part's header. */
export const HOSTILE_NAMES: Readonly<Record<string, string>> = {
  'with quotes': 'a "quoted" name.txt',
  'with a line feed': 'a\nb.txt',
  'with a line feed at its end': 'a.txt\n',
  'with a carriage return': 'a\rb.txt',
  'with a carriage return and a header': 'a\r\nX-Other: b\r\n\r\n.txt',
  'that contains a boundary': 'a\r\n--b\r\nContent-Disposition: form-data; name="c"\r\n\r\nd.txt',
  'that tries to add a second filename': 'x"; filename="y.txt',
  'that looks like a path to a parent folder': '..\\..\\etc\\passwd',
  'that looks like a path to a parent folder in a URL': '..%2F..%2Fetc%2Fpasswd',
  'that starts with three dots': '...txt',
  'with a leading dot': '.hidden.txt',
  'with a backslash': 'a\\b.txt',
  'with a backslash before a quote': 'a\\"b.txt',
  'with a backslash at its end': 'a.txt\\',
  'that is a single backslash': '\\',
  'that is a single quote': '"',
  'with a bell and a tab': 'a\u0007b\tc.txt',
  'with U+2028': 'a\u2028b.txt',
  'that is 255 bytes long': `${'n'.repeat(251)}.txt`,
  'that is 255 bytes of Chinese': `${'数'.repeat(83)}据.md`,
  'in Chinese': '数据 集导入.txt',
  'in Arabic': 'ملف.txt',
  'with emoji': '👩‍👩‍👧.txt',
  'with combining accents': 'Gru\u0308ße.txt',
  'with a right-to-left override': 'gepj.\u202Etxt',
  'with a leading dash': '-rf.txt',
  'with percent signs': '100%22%0A.txt',
  'with a semicolon and an equals sign': 'a;b=c.txt',
  'with an apostrophe and angle brackets': "<a> 'b'.txt",
  'with spaces around it': ' a.txt ',
  'whose extension is "constructor"': 'a.constructor',
  'whose extension is "__proto__"': 'a.__proto__',
  'without an extension': 'LICENSE',
};

/**
 * Escapes quotes, CR and LF as the HTML standard requires for multipart/form-data, and also escapes other characters in
 * these names that break parsers.
 */
export function escaped(name: string): string {
  const standard = name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return standard.replaceAll('\u0007', '%07').replaceAll('\t', '%09').replace(/\\$/, '%5C');
}

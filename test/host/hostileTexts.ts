/** Hostile strings that file names and responses can contain: markdown, HTML, links, icons, line breaks. */
export const hostileTexts = [
  '**bold** _it_ `code` # head',
  '<img src=x onerror=alert(1)><b>html</b>',
  '[link](command:workbench.action.quit)',
  '[x](command:datasetImport.removeFromList)',
  '[x](command:datasetImport.mapStatuses?%5B%7B%22file%22%3A1%7D%5D)',
  'x](command:datasetImport.removeFromList) [y][z]\n\n[z]: command:datasetImport.removeFromList',
  '[link](https://evil.example "title")',
  '![image](https://evil.example/x.png)',
  '<command:workbench.action.quit>',
  '$(trash) $(sync~spin)',
  'line\nbreak\r\nand\ttab',
  '| a | b |\n|---|---|\n\n---\n> quote\n1. one\n- two',
  '&lt;b&gt; &amp; \\* \\[x]',
  '${taskId} {0} %s',
  '读书会 😀 \u202Egnp.exe',
] as const;

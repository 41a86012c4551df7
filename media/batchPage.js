// The script of the page about a batch: shows what the extension posts, and posts what the user clicks. All that it shows
// was escaped by the extension, and the policy of the page lets no other script run.
(() => {
  const vscode = acquireVsCodeApi();
  const shown = new Map();
  const opened = new Map();

  addEventListener('message', ({ data }) => {
    for (const [id, content] of Object.entries(data.sections)) {
      if (shown.get(id) === content) continue;
      shown.set(id, content);
      draw(document.getElementById(id), content);
    }
  });

  /** Draws a section anew. What was open or had the focus stays so. */
  function draw(section, content) {
    const focused = section.contains(document.activeElement) ? document.activeElement.id : '';
    section.innerHTML = content;
    for (const details of section.querySelectorAll('details')) details.open = opened.get(details.id) ?? details.open;
    if (focused !== '') document.getElementById(focused)?.focus();
  }

  addEventListener('toggle', ({ target }) => opened.set(target.id, target.open), true);

  addEventListener('click', ({ target }) => {
    const { command, key } = target.closest('[data-command]')?.dataset ?? {};
    if (command !== undefined) vscode.postMessage({ command, key: Number(key) });
  });

  vscode.postMessage({ command: 'ready' });
})();

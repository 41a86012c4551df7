// The batch page's script. It shows the HTML that the extension posts, and posts the user's clicks to the extension.
// The extension escapes all untrusted text, and the page's content security policy doesn't allow any other scripts.
(() => {
  const vscode = acquireVsCodeApi();
  const page = document.getElementById('page');
  const opened = new Map();
  let shown;

  // Preserve the focus and the open sections when the HTML is replaced.
  addEventListener('message', ({ data }) => {
    if (data.page === shown) return;
    shown = data.page;
    const focused = page.contains(document.activeElement) ? document.activeElement.id : '';
    page.innerHTML = shown;
    for (const details of page.querySelectorAll('details')) details.open = opened.get(details.id) ?? details.open;
    if (focused !== '') document.getElementById(focused)?.focus();
  });

  addEventListener('toggle', ({ target }) => opened.set(target.id, target.open), true);

  addEventListener('click', ({ target }) => {
    const { command, key } = target.closest('[data-command]')?.dataset ?? {};
    if (command !== undefined) vscode.postMessage({ command, key: Number(key) });
  });

  vscode.postMessage({ command: 'ready' });
})();

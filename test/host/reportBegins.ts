/** The report of the host tests begins with these words. */
export const reportBegins = 'In the extension host of VS Code';

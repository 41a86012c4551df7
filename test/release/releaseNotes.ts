/** The changelog section for a version, without its heading. @throws Error if the section is missing or empty */
export function releaseNotes(changelog: string, version: string): string {
  const lines = changelog.split('\n');
  const begin = lines.findIndex((line) => line.startsWith(`## [${version}]`));
  if (begin === -1) throw new Error(`CHANGELOG.md has no section "## [${version}]".`);
  const rest = lines.slice(begin + 1);
  const end = rest.findIndex((line) => line.startsWith('## ['));
  const notes = rest
    .slice(0, end === -1 ? undefined : end)
    .join('\n')
    .trim();
  if (notes === '') throw new Error(`CHANGELOG.md says nothing about ${version}.`);
  return `${notes}\n`;
}

import { l10n, type QuickInputButton, type QuickPickItem, ThemeIcon } from 'vscode';
import { formatCount, formatSize } from '../platform/formatNumbers';
import { type Picks, separator } from '../platform/window';
import { type ChosenFile, type FileGroup, formatChosen, type LeftOutGroup } from './fileGroups';

/** Max files of a group that are listed below it when the list is opened. */
const SHORT = 20;

/** Max files that are listed at once, and with each further step: more would hold up VS Code. */
const STEP = 1000;

/** What the list shows. */
export interface FileQuestion {
  readonly dataset: string;
  readonly groups: readonly FileGroup[];
  readonly leftOut: readonly LeftOutGroup[];
  /** How many files the dataset has that are no longer in the folders. */
  readonly gone: number;
  /** Whether there is another dataset to choose. */
  readonly hasOthers: boolean;
  readonly nowMs: number;
}

/** The files to import, or that another dataset is to be chosen; undefined where the user cancels. */
export type FileChoice = readonly ChosenFile[] | 'otherDataset' | undefined;

type Group = FileGroup | LeftOutGroup;

type Row = QuickPickItem & ({ readonly group: Group; readonly isMore?: true } | { readonly file: ChosenFile } | object);

/** Asks which of the files to import: one list, in which files are ticked by the group or one by one. */
export async function chooseFiles(picks: Picks, question: FileQuestion): Promise<FileChoice> {
  const list = new FileList(question);
  const choice = await picks.checklist<Row>({
    title: () => list.title,
    placeHolder: l10n.t('Tick the files to import, and press Enter'),
    buttons: question.hasOthers
      ? [{ iconPath: new ThemeIcon('database'), tooltip: l10n.t('Choose Another Dataset…') }]
      : [],
    rows: () => list.rows(),
    isTicked: (row) => list.isTicked(row),
    tick: (row, isTicked) => list.tick(row, isTicked),
    press: (row) => list.expand(row),
    canAccept: () => list.chosen.length > 0,
  });
  return choice === 'accepted' ? list.chosen : choice === 0 ? 'otherDataset' : undefined;
}

class FileList {
  readonly #question: FileQuestion;
  readonly #all: readonly ChosenFile[];
  readonly #ticked: Set<ChosenFile>;
  /** How many files or names of a group are listed below it. */
  readonly #listed = new Map<Group, number>();

  constructor(question: FileQuestion) {
    this.#question = question;
    this.#all = question.groups.flatMap(({ files }) => files);
    this.#ticked = new Set(question.groups.flatMap(({ files, isTicked }) => (isTicked ? files : [])));
    for (const group of question.groups) if (group.files.length <= SHORT) this.#listed.set(group, SHORT);
  }

  get chosen(): readonly ChosenFile[] {
    return this.#all.filter((file) => this.#ticked.has(file));
  }

  get title(): string {
    const { dataset } = this.#question;
    const size = formatSizeOf(this.chosen);
    const [ticked, all] = [formatCount(this.#ticked.size), formatCount(this.#all.length)];
    if (this.#ticked.size < this.#all.length) {
      return this.#all.length === 1
        ? l10n.t('Import {0} of 1 file ({1}) to {2}', ticked, size, dataset)
        : l10n.t('Import {0} of {1} files ({2}) to {3}', ticked, all, size, dataset);
    }
    return this.#all.length === 1
      ? l10n.t('Import 1 file ({0}) to {1}', size, dataset)
      : l10n.t('Import {0} files ({1}) to {2}', all, size, dataset);
  }

  rows(): Row[] {
    const { groups, leftOut, gone } = this.#question;
    const notes = [...leftOut.flatMap((group) => this.#rowsOf(group)), ...(gone === 0 ? [] : [formatGone(gone)])];
    return [
      ...groups.flatMap((group) => this.#rowsOf(group)),
      ...(notes.length === 0 ? [] : [separator(l10n.t('Not imported')), ...notes]),
    ];
  }

  isTicked(row: Row): boolean {
    const files = filesOf(row);
    return files.length > 0 && files.every((file) => this.#ticked.has(file));
  }

  tick(row: Row, isTicked: boolean): void {
    for (const file of filesOf(row)) isTicked ? this.#ticked.add(file) : this.#ticked.delete(file);
  }

  /** Lists the files of a group, or more of them, or none. */
  expand(row: Row): void {
    if (!('group' in row)) return;
    const listed = this.#listed.get(row.group) ?? 0;
    this.#listed.set(row.group, row.isMore ? listed + STEP : listed > 0 ? 0 : STEP);
  }

  #rowsOf(group: Group): Row[] {
    const listed = this.#listed.get(group) ?? 0;
    const [files, count] = 'files' in group ? [group.files, group.files.length] : [group.items, group.count];
    const below = files.slice(0, listed).map((one) => this.#rowOf(one));
    const more = files.length - below.length;
    const rows: Row[] = [
      {
        group,
        label: group.label,
        description: 'files' in group ? formatSum(group.files) : formatCount(count),
        buttons: files.length === 0 ? [] : [listed > 0 ? HIDE : SHOW],
      },
      ...below,
    ];
    if (listed === 0 || more === 0) return rows;
    return [
      ...rows,
      { group, isMore: true, label: `${INDENT}${l10n.t('… and {0} more', formatCount(more))}`, buttons: [SHOW] },
    ];
  }

  #rowOf(one: ChosenFile | LeftOutGroup['items'][number]): Row {
    if ('name' in one) return { label: `${INDENT}${one.name}` };
    return { file: one, label: `${INDENT}${one.relativePath}`, description: formatChosen(one, this.#question.nowMs) };
  }
}

/** Sets the files of a group apart from it: a Quick Pick has no levels. */
const INDENT = '\u2003';

const SHOW: QuickInputButton = { iconPath: new ThemeIcon('chevron-right'), tooltip: l10n.t('Show Files') };
const HIDE: QuickInputButton = { iconPath: new ThemeIcon('chevron-down'), tooltip: l10n.t('Hide Files') };

/** The files that are ticked with a row: none of what cannot be imported. */
function filesOf(row: Row): readonly ChosenFile[] {
  if ('file' in row) return [row.file];
  return 'group' in row && 'files' in row.group && !row.isMore ? row.group.files : [];
}

function formatSizeOf(files: readonly ChosenFile[]): string {
  return formatSize(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
}

function formatSum(files: readonly ChosenFile[]): string {
  const size = formatSizeOf(files);
  return files.length === 1 ? l10n.t('1 file, {0}', size) : l10n.t('{0} files, {1}', formatCount(files.length), size);
}

function formatGone(count: number): Row {
  return {
    label: l10n.t('Gone'),
    description:
      count === 1
        ? l10n.t('1 file stays in the dataset, as the service cannot remove it')
        : l10n.t('{0} files stay in the dataset, as the service cannot remove them', formatCount(count)),
  };
}

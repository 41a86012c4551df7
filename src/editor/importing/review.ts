import { l10n, type QuickInputButton, type QuickPickItem, ThemeIcon } from 'vscode';
import { UserError } from '../platform/actions';
import { formatCount, formatSentences, formatSize } from '../platform/format';
import { duplicates } from '../platform/settings';
import { type Checklist, type Picks, separator } from '../platform/window';
import type { Candidate, Chosen, ImportServices } from './candidate';
import type { ComparedFiles } from './compare';
import { describe, type FileGroup, formatGroup, GROUPS, groupOf, isSelected, mayBeThere } from './groups';
import { formatPlaceHolder, type Note, notesOf } from './notes';

/** An import of at least this many files is always reviewed. */
const MANY = 21;

/** A group of at most this many files is expanded when the list opens. */
const SHORT = 20;

/**
 * Number of files to list when a group is expanded, and to add each time the user asks for more. Longer lists would
 * block VS Code.
 */
const STEP = 1000;

/**
 * The files to import, 'otherDataset' if the user wants to choose another dataset, or 'nothingNew' if Import Changes…
 * has nothing to select. Undefined if the user cancels.
 */
export type Choice = readonly Candidate[] | 'otherDataset' | 'nothingNew' | undefined;

/** The files that the user has selected (true) or deselected (false) so far, by path. */
export type Choices = Map<string, boolean>;

/** Lets the user decide what to import, if there is anything to decide. @throws UserError if nothing can be imported */
export async function review(
  services: ImportServices,
  chosen: Chosen,
  compared: ComparedFiles,
  choices: Choices,
): Promise<Choice> {
  const { candidates, destination, skippedCount, unread, missing, isSearched } = compared;
  const { onlyChanges = false, isShown = false } = chosen;
  const choosable = candidates.filter((one) => groupOf(one) !== undefined);
  const faults = [...unread, ...candidates.flatMap(({ fault }) => fault ?? [])];
  const wanted = choosable.filter((one) => choices.get(one.path ?? one.relativePath) ?? isSelected(one, onlyChanges));
  if (onlyChanges && !isShown && wanted.length === 0) return 'nothingNew';
  const [only] = choosable;
  if (only === undefined) throw nothingToImport(candidates, faults);
  const showList = () => chooseFiles(services, compared, new Set(wanted), choices, faults);
  const isReviewed = onlyChanges || isShown || isSearched || wanted.length >= MANY;
  if (isReviewed || faults.length + skippedCount + missing.length > 0) return showList();
  if (candidates.length > 1) {
    const isUnwanted = (one: Candidate) => !(duplicates() === 'skip' && groupOf(one) === 'unchanged');
    const left = candidates.filter((one) => !wanted.includes(one));
    return wanted.length === 0 || left.some(isUnwanted) ? showList() : wanted;
  }
  return wanted.length > 0 || (await confirmOne(services, only, destination.dataset)) ? [only] : undefined;
}

function nothingToImport(candidates: readonly Candidate[], faults: readonly string[]): UserError {
  const [open] = candidates.filter(({ comparison }) => comparison === 'importing');
  if (open === undefined)
    return new UserError(formatSentences([l10n.t('Nothing was imported.'), ...faults.slice(0, 10)]));
  if (candidates.length === 1) return new UserError(l10n.t("'{0}' is already being imported.", open.name));
  return new UserError(formatSentences([l10n.t('All files are already being imported.'), ...faults.slice(0, 10)]));
}

/** Asks whether to import a single file that isn't selected by default. */
function confirmOne({ clock, confirm }: ImportServices, one: Candidate, dataset: string): Promise<boolean> {
  const facts = l10n.t('{0}: {1}', formatGroup(groupOf(one) ?? 'new'), describe(one, clock.now()));
  const warning = mayBeThere(one) ? [l10n.t('Importing it again may create a duplicate.')] : [];
  const question = l10n.t("Import '{0}' to {1}?", one.relativePath, dataset);
  return confirm(question, [facts, ...warning].join('\n'), l10n.t('Import'));
}

/** Shows a list in which the user selects files by group or one by one. A button shows what won't be imported. */
async function chooseFiles(
  { picks, datasets, clock }: ImportServices,
  compared: ComparedFiles,
  selected: Set<Candidate>,
  choices: Choices,
  faults: readonly string[],
): Promise<Choice> {
  const notes = notesOf(compared, faults);
  const other = { iconPath: new ThemeIcon('database'), tooltip: l10n.t('Choose Another Dataset…') };
  const left = { iconPath: new ThemeIcon('info'), tooltip: l10n.t('Show What Is Not Imported') };
  const buttons = [...(datasets.all.length > 1 ? [other] : []), ...(notes.length > 0 ? [left] : [])];
  const list = new FileList(compared, selected, choices, clock.now(), formatPlaceHolder(compared, faults), buttons);
  for (;;) {
    const end = await picks.checklist(list);
    if (end === 'accepted') return list.chosen;
    if (end === undefined) return undefined;
    if (buttons[end] === other) return 'otherDataset';
    await showNotes(picks, notes);
  }
}

/** A row's checkbox selects its `files`: all files of a group, those that aren't listed, or a single file. */
type Row = QuickPickItem & { readonly group?: FileGroup; readonly files: readonly Candidate[] };

class FileList implements Checklist<Row> {
  readonly #dataset: string;
  readonly #groups: ReadonlyMap<FileGroup | undefined, readonly Candidate[]>;
  readonly #all: readonly Candidate[];
  /** How many files are listed in each group. */
  readonly #listed = new Map<FileGroup, number>();

  constructor(
    { candidates, destination }: ComparedFiles,
    private readonly selected: Set<Candidate>,
    private readonly choices: Choices,
    private readonly nowMs: number,
    readonly placeHolder: string,
    readonly buttons: readonly QuickInputButton[],
  ) {
    this.#dataset = destination.dataset;
    this.#groups = Map.groupBy(candidates, groupOf);
    this.#all = candidates.filter((one) => groupOf(one) !== undefined);
    for (const group of GROUPS) if (this.#of(group).length <= SHORT) this.#listed.set(group, SHORT);
  }

  get chosen(): readonly Candidate[] {
    return this.#all.filter((one) => this.selected.has(one));
  }

  canAccept(): boolean {
    return this.chosen.length > 0;
  }

  title(): string {
    const [selected, all] = [formatCount(this.selected.size), formatCount(this.#all.length)];
    return l10n.t('Import to {0}: {1} of {2} ({3})', this.#dataset, selected, all, formatSum(this.chosen));
  }

  /** The groups or, while the user is searching, the files whose paths contain the search text. */
  rows(search: string): Row[] {
    const wanted = search.trim().toLowerCase();
    if (wanted === '') return GROUPS.flatMap((group) => this.#rowsOf(group));
    const found = this.#all.filter(({ relativePath }) => relativePath.toLowerCase().includes(wanted));
    const more = this.#moreRows(found.slice(STEP)).map((row) => ({ ...row, alwaysShow: true }));
    return [...found.slice(0, STEP).map((file) => this.#rowOf(file)), ...more];
  }

  isSelected({ files }: Row): boolean {
    return files.length > 0 && files.every((one) => this.selected.has(one));
  }

  select({ files }: Row, isSelected: boolean): void {
    for (const one of files) {
      isSelected ? this.selected.add(one) : this.selected.delete(one);
      this.choices.set(one.path ?? one.relativePath, isSelected);
    }
  }

  /** Shows a group's files, shows more of them, or hides them. */
  expand({ group, files }: Row): void {
    if (group === undefined) return;
    const listed = this.#listed.get(group) ?? 0;
    this.#listed.set(group, files.length < this.#of(group).length ? listed + STEP : listed > 0 ? 0 : STEP);
  }

  #of(group: FileGroup): readonly Candidate[] {
    return this.#groups.get(group) ?? [];
  }

  /**
   * The number of files in a group. If only some are selected, the group's checkbox is empty, so the text says how many
   * are selected.
   */
  #formatSelected(files: readonly Candidate[]): string {
    const [selected, all] = [files.filter((one) => this.selected.has(one)).length, formatCount(files.length)];
    return selected === 0 || selected === files.length
      ? all
      : l10n.t('{0} of {1} selected', formatCount(selected), all);
  }

  #rowOf(file: Candidate): Row {
    return { files: [file], label: `${INDENT}${file.relativePath}`, description: describe(file, this.nowMs) };
  }

  #rowsOf(group: FileGroup): Row[] {
    const [files, listed] = [this.#of(group), this.#listed.get(group) ?? 0];
    if (files.length === 0) return [];
    const below = files.slice(0, listed).map((file) => this.#rowOf(file));
    const more = this.#moreRows(files.slice(listed)).map((row) => ({ ...row, group, buttons: [SHOW] }));
    const description = [this.#formatSelected(files), ...formatMoved(files), formatSum(files)].join(' · ');
    const whole = { group, files, label: formatGroup(group), description, buttons: [listed > 0 ? HIDE : SHOW] };
    return [whole, ...below, ...(listed > 0 ? more : [])];
  }

  /** One row for the files that aren't listed, if there are any. */
  #moreRows(files: readonly Candidate[]): Row[] {
    const label = `${INDENT}${l10n.t('… and {0} more', formatCount(files.length))}`;
    return files.length > 0 ? [{ files, label }] : [];
  }
}

/** Indents a group's files, because items in a Quick Pick can't be nested. */
const INDENT = '\u2003';
const SHOW: QuickInputButton = { iconPath: new ThemeIcon('chevron-right'), tooltip: l10n.t('Show Files') };
const HIDE: QuickInputButton = { iconPath: new ThemeIcon('chevron-down'), tooltip: l10n.t('Hide Files') };

function formatMoved(files: readonly Candidate[]): string[] {
  const moved = files.filter(({ comparison }) => comparison === 'moved').length;
  return moved === 0 ? [] : [l10n.t('moved: {0}', formatCount(moved))];
}

function formatSum(files: readonly Candidate[]): string {
  return formatSize(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
}

async function showNotes(picks: Picks, notes: readonly Note[]): Promise<void> {
  const rows = notes.flatMap(({ label, count, names }) => [
    separator(l10n.t('{0}: {1}', label, formatCount(count))),
    ...names.slice(0, STEP).map((name) => ({ label: name })),
  ]);
  const placeHolder = l10n.t('Press Escape to go back');
  await picks.one<QuickPickItem>(rows, { title: l10n.t('Not Imported'), placeHolder });
}

import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { FILE_PLACEHOLDERS, type FileFacts, placeholdersIn } from '../../service/contract/template';
import { namedFacts } from '../../service/request/fileFacts';
import { withoutBrackets } from '../../service/request/namedParts';
import { isOf } from '../../tasks/destination';
import { newestTask } from '../../tasks/history/walk';
import type { TaskList } from '../../tasks/store/taskList';
import { shortText } from '../platform/outsideText';
import { type Picks, separator } from '../platform/window';

type Placeholder = (typeof FILE_PLACEHOLDERS)[number];

/** What a new form field is to hold: a text with placeholders, the file itself, or something that the user types. */
type FieldValue = { readonly text: string } | 'file' | 'typed';

type Choice = QuickPickItem & { choose?(): Promise<FieldValue | undefined> };

/** Which value of the file a field is likely to hold, by the field's name. */
const likely: readonly (readonly [name: RegExp, value: Placeholder])[] = [
  [/sha-?256|hash|digest|checksum/i, 'sha256'],
  [/path/i, 'relativePath'],
  [/mime|media_?type|content_?type/i, 'mediaType'],
  [/ext(?:ension)?$|suffix|file_?type|format/i, 'extension'],
  [/size|bytes|length/i, 'size'],
  [/(?:task|job|import)_?name|title/i, 'taskName'],
  [/name$/i, 'fileName'],
];

/** Whether a name in a form is likely to be that of the file itself. */
export function isFileName(name: string): boolean {
  return /^(?:files?|doc(?:ument)?s?|attachments?|uploads?|content)$/i.test(withoutBrackets(name));
}

/**
 * Asks what a new form field holds, with the values of the last import as examples. Undefined where the user cancels.
 * Where `isGuess`, the field may be the file itself, or not be one at all.
 */
export async function chooseFieldValue(
  { list, picks }: { readonly list: TaskList; readonly picks: Picks },
  dataset: Dataset,
  { name, title, isGuess }: { readonly name: string; readonly title: string; readonly isGuess: boolean },
): Promise<FieldValue | undefined> {
  const facts = await exampleFacts(list, dataset);
  const [, first] = likely.find(([pattern]) => pattern.test(withoutBrackets(name))) ?? [];
  const placeholders = FILE_PLACEHOLDERS.toSorted((one, other) => Number(other === first) - Number(one === first));
  const fromFile = [
    separator(l10n.t('values from the file')),
    ...placeholders.map(
      (value): Choice => ({
        label: formatPlaceholder(value),
        description: String(facts[value] ?? ''),
        choose: async () => ({ text: `\${${value}}` }),
      }),
    ),
  ];
  const typed: Choice = {
    label: l10n.t('Text and Values…'),
    iconPath: new ThemeIcon('code'),
    description: 'JSON, ${fileName}, …',
    choose: async () => 'typed',
  };
  const file: Choice = {
    label: l10n.t('The File Itself'),
    iconPath: new ThemeIcon('file'),
    description: l10n.t("instead of '{0}'", dataset.contract.fileTask.filePart),
    choose: async () => 'file',
  };
  const other: Choice = { label: l10n.t('Other Parts of the Request…'), iconPath: new ThemeIcon('ellipsis') };
  const isFile = isGuess && isFileName(name);
  const values = first === undefined ? [typed, ...fromFile] : [...fromFile, typed];
  const rest = isGuess ? [separator(l10n.t('other')), ...(isFile ? [] : [file]), other] : [];
  const choices = [...(isFile ? [file] : []), ...values, ...rest];
  const placeHolder = l10n.t("Enter a text, or select a value from the file (examples from '{0}')", facts.fileName);
  const picked = await picks.oneOrTyped<Choice>(choices, { title, placeHolder }, typedText);
  return picked?.choose?.();
}

/** What was typed, as a fixed text; undefined where it is none. */
function typedText(typed: string): Choice | undefined {
  const text = typed.trim();
  if (text === '' || placeholdersIn(text).length > 0) return undefined;
  const label = l10n.t("Send '{0}' with Each File", shortText(text));
  return { label, iconPath: new ThemeIcon('edit'), choose: async () => ({ text }) };
}

/** What the placeholders stand for in the last import to the dataset, or else in an example. */
async function exampleFacts({ history }: TaskList, dataset: Dataset): Promise<FileFacts> {
  const task = await newestTask(
    history,
    ({ source, ...destination }) => source !== undefined && isOf(destination, dataset),
  );
  const source = task?.source;
  if (source === undefined) return namedFacts(dataset.contract.fileTask, 'notes.txt', 'docs/notes.txt', 1234);
  const facts = namedFacts(dataset.contract.fileTask, source.name, source.relativePath, source.sizeBytes);
  return source.sha256 === undefined ? facts : { ...facts, sha256: source.sha256 };
}

function formatPlaceholder(name: Placeholder): string {
  switch (name) {
    case 'fileName':
      return l10n.t('File Name');
    case 'relativePath':
      return l10n.t('Relative Path');
    case 'extension':
      return l10n.t('Extension');
    case 'mediaType':
      return l10n.t('Media Type');
    case 'size':
      return l10n.t('Size in Bytes');
    case 'sha256':
      return l10n.t('SHA-256');
    case 'taskName':
      return l10n.t('Task Name');
  }
}

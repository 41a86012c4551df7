import { isExactNumber, isJsonObject, type Json, leafText } from './json';
import { jsonPointer } from './jsonPointer';
import { type Fact, USUAL_NAMES } from './recognition';

/** A value in an answer that could be the fact that is looked for (INTERFACE.md 2.3: fields are not shown). */
export interface AnswerLeaf {
  /** A JSON Pointer into `data`. */
  readonly pointer: string;
  readonly text: string;
  /** Whether its name or its value speaks for it. */
  readonly isLikely: boolean;
}

const MAX_LEAVES = 500;

/** The leaves of an answer's `data`, likely ones first, else in their order there (INTERFACE.md 2.3: fields are not shown). */
export function answerLeaves(data: Json, fact: Fact): AnswerLeaf[] {
  const leaves = [...walk(data, [])].map(({ names, value }) => ({
    pointer: jsonPointer(...names),
    text: leafText(value) ?? '',
    isLikely: isLikely(fact, names, value),
  }));
  return [...leaves.filter((leaf) => leaf.isLikely), ...leaves.filter((leaf) => !leaf.isLikely)];
}

function* walk(data: Json, root: readonly string[]): Generator<{ names: readonly string[]; value: Json }> {
  const queue = [{ names: root, value: data }];
  for (let found = 0; queue.length > 0 && found < MAX_LEAVES; ) {
    const { names, value } = queue.shift() ?? { names: root, value: null };
    if ((leafText(value) ?? '') !== '') {
      found += 1;
      yield { names, value };
    } else if (Array.isArray(value) || isJsonObject(value)) {
      const inner = Object.entries(value as Readonly<Record<string, Json>>);
      queue.push(...inner.slice(0, MAX_LEAVES).map(([name, item]) => ({ names: [...names, name], value: item })));
    }
  }
}

const hints: Readonly<Record<Fact, RegExp>> = {
  taskId: /id$|no$|code$|key$|ref$|uuid|number/i,
  status: /stat|phase|stage|step|^st$/i,
  progress: /progress|percent|rate|done|finish|processed/i,
  message: /message|msg|reason|remark|detail|desc|error|info/i,
};

function isLikely(fact: Fact, names: readonly string[], value: Json): boolean {
  const name = names.findLast((part) => !/^\d+$/.test(part)) ?? '';
  const plain = name.toLowerCase().replace(/[\s_-]/g, '');
  if (USUAL_NAMES[fact].includes(plain) || hints[fact].test(name)) return true;
  const text = leafText(value) ?? '';
  return fact === 'taskId' && (isExactNumber(value) || /^[0-9a-f]{8}-[0-9a-f-]{27}$|^\d{6,}$/i.test(text));
}

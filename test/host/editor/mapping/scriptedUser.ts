import assert from 'node:assert/strict';
import type { QuickPickItem } from 'vscode';
import type { Action } from '../../../../src/editor/platform/actions';
import type { Picks } from '../../../../src/editor/platform/window';

/** Text to type into a box. If it is a pattern, the suggested text must match it and is then accepted unchanged. */
export interface Typed {
  readonly types: string | RegExp;
}

/** An input: the label of a row to pick, or text to type. */
export type Input = string | RegExp | Typed;

interface Message {
  readonly text: string;
  readonly actions: readonly Action[];
  close(): void;
}

/** Clicks buttons in messages, and enters scripted inputs into lists and boxes. Counts every click and input. */
export class ScriptedUser {
  inputs = 0;
  /** The number of items picked from lists. */
  picked = 0;
  /** All messages, oldest first. */
  readonly texts: string[] = [];
  readonly #open: Message[] = [];
  #script: Input[] = [];
  #onMessage: () => void = () => {};

  readonly picks: Picks = {
    one: async (items) => this.#pickOne(items),
    text: async ({ value = '', validateInput }) => this.#type(value, validateInput),
    checklist: async () => assert.fail('no list with checkboxes is expected'),
  };

  /** Shows a message. Resolves when one of its buttons is clicked. */
  readonly showUntilClicked = (text: string, ...actions: readonly Action[]): Promise<void> =>
    this.show(text, actions).closed;

  readonly confirm = async (): Promise<boolean> => {
    this.inputs++;
    return true;
  };

  /** Shows a message until one of its buttons is clicked. */
  show(text: string, actions: readonly Action[]): Message & { readonly closed: Promise<void> } {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const close = () => {
      if (this.#open.includes(message)) this.#open.splice(this.#open.indexOf(message), 1);
      resolve();
    };
    const message = { text, actions, close, closed };
    this.texts.push(text);
    this.#open.push(message);
    if (this.#script.length === 0) this.#onMessage();
    return message;
  }

  hasButton(label: string): boolean {
    return this.#withButton(label) !== undefined;
  }

  /** Clicks this button in the latest message that has it, then enters these inputs. */
  async click(label: string, ...script: readonly Input[]): Promise<void> {
    const message = this.#withButton(label);
    assert.ok(message, `no message has the button '${label}': ${this.#shown()}`);
    this.inputs++;
    message.close();
    await this.answer(() => message.actions.find((action) => action.label === label)?.run(), ...script);
  }

  /** Runs a command and enters these inputs. Resolves when the command ends or shows a message. */
  async answer(run: () => unknown, ...script: readonly Input[]): Promise<void> {
    this.#script = [...script];
    const messageShown = new Promise<void>((resolve) => {
      this.#onMessage = resolve;
    });
    await Promise.race([run(), messageShown]);
    assert.deepEqual(this.#script, [], 'some inputs were not asked for');
  }

  #withButton(label: string): Message | undefined {
    return this.#open.findLast(({ actions }) => actions.some((action) => action.label === label));
  }

  #shown(): string {
    return this.#open
      .map(({ text, actions }) => `${text} [${actions.map(({ label }) => label).join(', ')}]`)
      .join(' | ');
  }

  #pickOne<T extends QuickPickItem>(items: readonly T[]): T {
    const wanted = this.#script.shift();
    const isWanted = (label: string) => (wanted instanceof RegExp ? wanted.test(label) : label === wanted);
    this.inputs++;
    this.picked++;
    return items.find(({ label }) => isWanted(label)) ?? assert.fail(`'${wanted}' is none of ${labels(items)}`);
  }

  #type(proposed: string, validate?: (typed: string) => unknown): string {
    const wanted = this.#script.shift();
    this.inputs++;
    if (wanted === undefined || !isTyped(wanted)) assert.fail(`a box with '${proposed}' shows instead of '${wanted}'`);
    const { types } = wanted;
    if (types instanceof RegExp) assert.match(proposed, types);
    const typed = types instanceof RegExp ? proposed : types;
    assert.equal(validate?.(typed), undefined);
    return typed;
  }
}

function labels(items: readonly QuickPickItem[]): string {
  return items.map(({ label }) => label).join(' | ');
}

function isTyped(input: Input): input is Typed {
  return typeof input === 'object' && 'types' in input;
}

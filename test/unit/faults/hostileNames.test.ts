import assert from 'node:assert/strict';
import { escaped, HOSTILE_NAMES } from '../service/hostileNames';
import { readForm } from '../service/readForm';
import { taking } from '../service/responses';
import { toldPhase } from './endedImport';
import { ImportWindow } from './importWindow';

describe('Files with hostile names', () => {
  it('go through the queue in one batch: each arrives once, as one file part that bears its name', async function () {
    if (process.platform === 'win32') this.skip();
    const names = Object.values(HOSTILE_NAMES);
    await using window = await ImportWindow.open({ script: taking }, { allowed: 4 });
    const files = [];
    for (const name of names) files.push(await window.check(name, `the text of ${name}`));
    await window.import(...files);
    assert.deepEqual(new Set(window.stored.map(toldPhase)), new Set(['accepted']));
    assert.deepEqual(
      window.stored.map(({ source }) => source?.name),
      names,
    );
    const forms = await Promise.all(window.faulty.server.peers.map(({ request }) => readForm(request)));
    const arrived = forms.map((parts) =>
      parts.map(({ name, fileName, content }) => [name, fileName, content.toString()]),
    );
    const wanted = names.map((name) => [['file', escaped(name), `the text of ${name}`]]);
    assert.deepEqual(arrived.sort(byText), wanted.sort(byText));
  });
});

function byText(one: unknown, other: unknown): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

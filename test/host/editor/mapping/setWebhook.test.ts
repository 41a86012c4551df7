import assert from 'node:assert/strict';
import type { InputBoxOptions } from 'vscode';
import { setWebhook } from '../../../../src/editor/mapping/setWebhook';
import type { Action } from '../../../../src/editor/platform/actions';
import { window } from '../../../../src/editor/platform/window';
import type { Services } from '../../../../src/editor/services';
import { type OwnServices, ownServices } from '../../ownServices';
import { startTinyService, type TinyResponse, type TinyService } from '../../tinyService';
import { until } from '../../until';

describe('Set Webhook…', () => {
  const { withProgress } = window;
  const accepts = '{"code":"0","message":null,"data":{}}';
  let services: OwnServices;
  let service: TinyService;
  let response: TinyResponse;
  let respond: () => TinyResponse | Promise<TinyResponse>;
  let shown: { readonly message: string; readonly actions: readonly Action[] }[];
  let proposed: (string | undefined)[];
  let details: string[];

  before(async () => {
    services = await ownServices();
  });

  beforeEach(async () => {
    [shown, proposed, details] = [[], [], []];
    respond = () => response;
    service = await startTinyService({ 'set-webhook': () => respond() });
    await services.keys.set({ name: 'Manuals', baseUrl: service.baseUrl }, 'key-of-the-webhook-1');
    await services.datasets.add({ name: 'Manuals', baseUrl: service.baseUrl.href });
  });

  afterEach(async () => {
    window.withProgress = withProgress;
    await services.datasets.remove(dataset());
    await service.close();
  });

  after(() => services.dispose());

  it('shows the request before sending it, and remembers the URL that the service accepted', async () => {
    response = accepts;
    await set('https://hooks.example/a?b=c');
    assert.match(details[0] ?? '', /Access-Key: ••••••••\n[\s\S]*\{"url":"https:\/\/hooks\.example\/a\?b=c"\}$/);
    assert.equal(service.requests.map(({ body }) => body).join(), '{"url":"https://hooks.example/a?b=c"}');
    assert.equal(shown[0]?.message, "The webhook of 'Manuals' is now https://hooks.example/a?b=c.");
    assert.deepEqual(services.datasets.webhookOf(dataset()), { url: 'https://hooks.example/a?b=c', isVerified: true });
  });

  it('reports the webhook as unverified after an unclear response, and resends the URL only if the user clicks Apply Again', async () => {
    response = '<html>';
    await set('https://hooks.example/a');
    assert.equal(service.requests.length, 1);
    assert.match(shown[0]?.message ?? '', /^The webhook of 'Manuals' is not verified\. .* Apply again\?$/);
    assert.deepEqual(services.datasets.webhookOf(dataset()), { url: 'https://hooks.example/a', isVerified: false });
    response = accepts;
    await click('Apply Again');
    assert.equal(services.datasets.webhookOf(dataset())?.isVerified, true);
  });

  it('keeps the old webhook and lets the user edit the new URL if the service rejects it', async () => {
    response = accepts;
    await set('https://hooks.example/first');
    response = '{"code":"7","message":"URL is not public","data":null}';
    await set('https://hooks.example/second');
    assert.equal(shown[1]?.message, 'Manuals rejected the webhook: code 7: URL is not public');
    assert.deepEqual(services.datasets.webhookOf(dataset()), { url: 'https://hooks.example/first', isVerified: true });
    await click('Change URL…');
    assert.deepEqual(proposed, ['', 'https://hooks.example/first', 'https://hooks.example/second']);
    response = [404, '{"code":"404","message":"No such path","data":null}'];
    await set('https://hooks.example/third');
    assert.match(
      shown.at(-1)?.message ?? '',
      /No such path\. If the path is not \/openapi\/open\/v1\/set-webhook, set 'paths\.setWebhook'/,
    );
  });

  it('does not replace a newer webhook when the response arrives, and finds the dataset under a new name', async () => {
    const late = Promise.withResolvers<string>();
    respond = () => (service.requests.length === 1 ? late.promise : accepts);
    const earlier = set('https://hooks.example/a');
    await until('the first request', () => service.requests.length === 1);
    await set('https://hooks.example/b');
    late.resolve('{"code":"7","message":"No.","data":null}');
    await earlier;
    assert.deepEqual(services.datasets.webhookOf(dataset()), { url: 'https://hooks.example/b', isVerified: true });
    respond = async () => {
      await services.datasets.rename(dataset(), 'Guides');
      return accepts;
    };
    await set('https://hooks.example/c');
    const guides = services.datasets.find('Guides') ?? assert.fail();
    assert.deepEqual(services.datasets.webhookOf(guides), { url: 'https://hooks.example/c', isVerified: true });
    await services.datasets.rename(guides, 'Manuals');
  });

  it('reports the webhook as unverified if the user cancels before the response arrives', async () => {
    response = accepts;
    await set('https://hooks.example/first');
    const cancel = new AbortController();
    window.withProgress = (_title, task) => {
      const result = task(cancel.signal, () => {});
      cancel.abort();
      return result;
    };
    respond = () => {
      // The progress notification with the Cancel button appears after a second.
      services.clock.advance(1000);
      return new Promise(() => {});
    };
    await set('https://hooks.example/second');
    assert.equal(shown[1]?.message, "The webhook of 'Manuals' is not verified. Canceled. Apply again?");
    assert.deepEqual(services.datasets.webhookOf(dataset()), {
      url: 'https://hooks.example/second',
      isVerified: false,
    });
    assert.equal(service.requests.length, 2);
  });

  it('accepts only HTTP and HTTPS URLs without credentials', async () => {
    for (const typed of ['', 'hooks.example', 'https:hooks.example', 'ftp://a.example', 'https://me:pw@a.example'])
      await set(typed);
    assert.deepEqual([service.requests, shown], [[], []]);
  });

  function dataset() {
    return services.datasets.find('Manuals') ?? assert.fail('there is no dataset');
  }

  async function set(typed: string): Promise<void> {
    const show = async (message: string, ...actions: Action[]) => void shown.push({ message, actions });
    const text = async ({ value, validateInput }: InputBoxOptions) => {
      proposed.push(value);
      assert.equal(validateInput?.(typed) === undefined, /^https:\/\/hooks/.test(typed), typed);
      return typed;
    };
    const confirm = async (_question: string, detail: string) => {
      details.push(detail);
      return true;
    };
    const messages = { done: show, warn: show };
    const own = { ...services, messages, confirm, picks: { ...services.picks, text } } as unknown as Services;
    await setWebhook(own, dataset());
  }

  async function click(label: string): Promise<void> {
    const action = shown.at(-1)?.actions.find((each) => each.label === label);
    await (action ?? assert.fail(`there is no button '${label}'`)).run();
  }
});

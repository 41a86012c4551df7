import { giveKey } from '../e2e/giveKey';
import { refused, ScriptedService, value } from '../e2e/scriptedService';
import { useWorkbench } from '../e2e/useWorkbench';
import { takePictures } from './takePictures';

describe('The looks of the details of tasks, in screenshots for people', () => {
  const service = ScriptedService.duringTests();
  const names = [
    'failed.txt',
    'library.csv',
    'questions.jsonl',
    'welcome.md',
    '读书会记录 [x](command:a).txt',
  ] as const;
  const open = useWorkbench(
    () => ({
      files: Object.fromEntries(names.map((name) => [name, `text of ${name}\n`.repeat(200)])),
      settings: {
        'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }],
        'window.autoDetectColorScheme': true,
      },
    }),
    (opened) => giveKey(opened, 'Manuals', 'a-key-0123456789'),
  );

  it('of one that failed, was rejected, is unconfirmed, is several, and is not understood', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    const statuses = ['QUEUED', 'PARSING', 'FAILED'];
    const failed = () => {
      const status = statuses.length > 1 ? statuses.shift() : statuses[0];
      const message = status === 'FAILED' ? 'Line 214 has 7 columns, but the header has 6.' : null;
      return value(JSON.stringify({ taskId: 't-81f2', status, message, lines: 213, at: '2026-03-01T10:00:00Z' }));
    };
    const scripts = {
      'failed.txt': [() => value('{"taskId":"t-81f2"}'), failed],
      'library.csv': [() => refused('4711', 'The quota of this dataset is used up. See https://example.com/quota.')],
      'questions.jsonl': [() => ({ status: 502, body: '<html><h1>502 Bad Gateway</h1></html>' })],
      'welcome.md': [
        () => value('{"taskIds":["a-1","a-2"]}'),
        ({ body }) => value(`{"status":"${body.includes('a-1') ? 'DONE' : 'RUNNING'}"}`),
      ],
      '读书会记录 [x](command:a).txt': [
        () => value('{"taskId":9007199254740993123}'),
        () => value('{"status":"入库，第二步 \\u202e[go](command:a)\\n→ Retry","progress":42}'),
      ],
    } satisfies Record<(typeof names)[number], [ScriptedService['fileTask'], ScriptedService['queryTask']?]>;
    const shown = { 'failed.txt': 'failed', 'library.csv': 'rejected', 'questions.jsonl': 'unconfirmed' };
    for (const [index, name] of names.entries()) {
      const [fileTask, queryTask = service.queryTask] = scripts[name];
      Object.assign(service, { fileTask, queryTask });
      await workbench.explorer.chooseFor('Import to Dataset…', name);
      await workbench.openContainer('Dataset Import');
      const begins = { ...shown, 'welcome.md': 'running', '读书会记录 [x](command:a).txt': 'status' }[name];
      await tasks.waitForRow(name, ({ spoken }) => spoken.startsWith(begins));
      await workbench.notifications.clear();
      await tasks.select(name);
      await workbench.editors.waitForText((text) => text.startsWith(name));
      await takePictures(open(), `details-${index}`);
    }
  });
});

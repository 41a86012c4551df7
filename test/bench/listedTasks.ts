/** What a service lists that responds to each query with all of its tasks. */
export interface ListedTasks {
  readonly count: number;
  readonly shape: 'list' | 'map';
  readonly ids: 'numbers' | 'strings';
  /** Whether the status has a usual name. */
  readonly isRecognized: boolean;
}

/** The id of each task, as a JSON literal: of 19 digits, which JavaScript's own numbers cannot hold. */
export function listedId({ ids }: ListedTasks, index: number): string {
  const digits = `7${String(index * 7919).padStart(18, '0')}`;
  return ids === 'numbers' ? digits : JSON.stringify(`t-${digits}`);
}

/** A response of about 200 bytes a task; none is the same as one of another `turn`. */
export function listedTasks(listed: ListedTasks, turn: number): string {
  const tasks = Array.from({ length: listed.count }, (_, index) => {
    const id = listedId(listed, index);
    const status = listed.isRecognized
      ? '"status":"RUNNING","message":"Reads the text"'
      : '"st":"B2","note":"Reads the text"';
    const task = `{"id":${id},${status},"file":"notes/chapter ${index}.txt","bytes":${index * 37},"created":"2030-01-01T00:00:00Z","owner":"someone"}`;
    return listed.shape === 'list' ? task : `${JSON.stringify(JSON.parse(`"${id.replaceAll('"', '')}"`))}:${task}`;
  }).join(',');
  const all = listed.shape === 'list' ? `[${tasks}]` : `{${tasks}}`;
  return `{"code":"0","message":null,"data":{"turn":${turn},"tasks":${all}}}`;
}

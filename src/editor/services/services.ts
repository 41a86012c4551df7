import type { Dataset } from '../../service/contract/dataset';
import type { Follower } from '../../tasks/following/follower';
import type { Refresher } from '../../tasks/following/refresher';
import type { Arrangement } from '../../tasks/history/levels';
import type { Sources } from '../../tasks/sending/sources';
import type { ImportQueue } from '../../tasks/serving/importQueue';
import type { ServingWindow } from '../../tasks/serving/servingWindow';
import type { Store } from '../../tasks/store/store';
import type { TaskList } from '../../tasks/store/taskList';
import type { Clock } from '../../tasks/timing/clock';
import type { Messages } from '../platform/messages';
import type { Picks } from '../platform/window';
import type { Commands } from '../start/commands';
import type { AccessKeys } from './accessKeys';
import type { Datasets } from './datasets';

/** The sandbox as far as its dataset is concerned. */
interface SandboxSwitch {
  /** Does nothing where it already runs. */
  start(): Promise<Dataset>;
  stop(): Promise<void>;
}

/** What the commands work with. Made once, in parts.ts; a command that needs few of them says which. */
export interface Services {
  readonly datasets: Datasets;
  readonly keys: AccessKeys;
  readonly sandbox: SandboxSwitch;
  /** The tracked tasks. */
  readonly list: TaskList;
  /** The contents that services have received, whatever is removed from the list. */
  readonly contents: Store['contents'];
  readonly store: Pick<Store, 'exists'>;
  /** Which destinations this window serves. */
  readonly serving: ServingWindow;
  /** The imports that are to be sent. */
  readonly queue: ImportQueue;
  readonly sources: Sources;
  /** Asks services about tasks. */
  readonly refresher: Refresher;
  /** Asks about the unfinished ones of the destinations that this window serves, again and again. */
  readonly follower: Follower;
  readonly clock: Clock;
  readonly messages: Messages;
  readonly picks: Picks;
  readonly commands: Commands;
  /** How the Tasks view is filtered and grouped. */
  readonly arrangement: { readonly current: Arrangement };
}

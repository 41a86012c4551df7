import { Disposable, type TreeView } from 'vscode';
import { setContextKey } from '../platform/contextKeys';
import type { Messages } from '../platform/messages';
import { plainText } from '../platform/outsideText';
import type { Picks } from '../platform/window';
import type { Commands } from '../start/commands';
import { type FilterDeps, filterTasks, formatFilter } from './filterTasks';
import { type GroupDeps, groupTasks } from './groupTasks';
import type { TaskArrangement } from './taskArrangement';

/** Registers the commands that arrange the view Tasks, which says how it is filtered. */
export function registerArranging(
  deps: FilterDeps &
    GroupDeps & {
      readonly arrangement: TaskArrangement;
      readonly view: Pick<TreeView<unknown>, 'description'>;
      readonly messages: Messages;
      readonly picks: Picks;
      readonly commands: Commands;
    },
): Disposable {
  const { arrangement, view } = deps;
  deps.commands.handle(
    {
      'datasetImport.filterTasks': () => filterTasks(deps),
      'datasetImport.groupTasks': () => groupTasks(deps),
      'datasetImport.clearTaskFilter': () => arrangement.filterBy(undefined),
    },
    deps.messages,
  );
  const showing = arrangement.onDidChange(({ filter }) => {
    view.description = filter === undefined ? '' : plainText(formatFilter(filter));
    void setContextKey('tasksFiltered', filter !== undefined);
  });
  return Disposable.from(showing, arrangement);
}

import { Disposable, type TreeView } from 'vscode';
import { setContextKey } from '../platform/contextKeys';
import { plainText } from '../platform/outsideText';
import type { Services } from '../services/services';
import { onNothing } from '../targets';
import { filterTasks, formatFilter } from './filterTasks';
import { groupTasks } from './groupTasks';
import type { TaskArrangement } from './taskArrangement';

/** Registers the commands that arrange the view Tasks, which says how it is filtered. */
export function registerArranging(
  services: Services,
  arrangement: TaskArrangement,
  view: Pick<TreeView<unknown>, 'description'>,
): Disposable {
  services.commands.handle(
    {
      'datasetImport.filterTasks': onNothing(() => filterTasks(services, arrangement)),
      'datasetImport.groupTasks': onNothing(() => groupTasks(services, arrangement)),
      'datasetImport.clearTaskFilter': onNothing(() => arrangement.filterBy(undefined)),
    },
    services.messages,
  );
  const showing = arrangement.onDidChange(({ filter }) => {
    view.description = filter === undefined ? '' : plainText(formatFilter(filter));
    void setContextKey('tasksFiltered', filter !== undefined);
  });
  return Disposable.from(showing, arrangement);
}

import type { Memory } from '../../tasks/comparing/compareFiles';
import type { ImportStore } from '../../tasks/importStore/importStore';
import type { Destination } from '../../tasks/importStore/model';

/** What a destination has received, as the store remembers it. */
export function memoryOf(store: ImportStore, destination: Destination): Memory {
  return {
    known: (request) => store.known({ ...request, destination }),
    knownPaths: (request) => store.knownPaths({ ...request, destination }),
    noteTimes: (times) => store.noteTimes({ destination, times }),
  };
}

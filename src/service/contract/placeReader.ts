import { isJsonPointer } from '../json/jsonPointer';
import { hasOnlyPlaceholders, ID_PLACE_PLACEHOLDERS, PLACE_PLACEHOLDERS } from '../places/placeholders';
import { text } from './settingReader';

const pointer = (known: readonly string[]) =>
  text([isJsonPointer, { kind: 'notPointer' }], [hasOnlyPlaceholders(known), { kind: 'unknownPlaceholder', known }]);

/** Reads the place of a value in query-task's response. */
export const place = pointer(PLACE_PLACEHOLDERS);

/** Reads the place of the id in file-task's response. */
export const idPlace = pointer(ID_PLACE_PLACEHOLDERS);

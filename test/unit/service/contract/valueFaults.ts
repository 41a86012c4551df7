import type { ValueFault } from '../../../../src/service/contract/settingSchema';

const known: Readonly<Record<ValueFault, true>> = {
  missing: true,
  unknown: true,
  empty: true,
  notObject: true,
  notList: true,
  notText: true,
  notBoolean: true,
  notJson: true,
  notPointer: true,
  notPath: true,
  notExpression: true,
  notMeaning: true,
  notMediaType: true,
  notEncoding: true,
  endsWithBackslash: true,
  notHeaderName: true,
  fixedHeader: true,
  notHeaderValue: true,
  unknownFieldPlaceholder: true,
  unknownQueryPlaceholder: true,
  unknownIdPlaceholder: true,
  unknownPlacePlaceholder: true,
};

/** All that can be wrong with a value of the settings. */
export const valueFaults = Object.keys(known) as readonly ValueFault[];

/** What is wrong with a value of the settings; whoever shows it finds the words. */
export type ValueFault =
  | { readonly kind: 'missing' | 'unknown' | 'empty' }
  | { readonly kind: 'notObject' | 'list' | 'notList' | 'notText' | 'notBoolean' | 'notJson' }
  | { readonly kind: 'notPointer' | 'notPath' | 'hashInPath' | 'notCondition' }
  | { readonly kind: 'notHeaderName' | 'fixedHeader' | 'notHeaderValue' }
  | { readonly kind: 'notOneOf'; readonly known: readonly string[] }
  /** `known` are the names of the placeholders that there are. */
  | { readonly kind: 'unknownPlaceholder'; readonly known: readonly string[] };

/** A fault and where it is: `queryTask.status`, or '' for the value as a whole. */
export interface PlacedFault {
  readonly at: string;
  readonly what: ValueFault;
}

/** A button of a message: its label and what it does. */
export interface Action {
  readonly label: string;
  run(): unknown;
}

/** An error whose message is meant for people, with the next steps they can take. */
export class UserError extends Error {
  override readonly name = 'UserError';

  constructor(
    message: string,
    /** The buttons to offer. */
    readonly actions: readonly Action[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

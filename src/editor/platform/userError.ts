/** A button of a message. */
export interface Action {
  readonly label: string;
  run(): unknown;
}

/** An error whose message is shown as it is. */
export class UserError extends Error {
  override readonly name = 'UserError';

  constructor(
    message: string,
    readonly actions: readonly Action[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

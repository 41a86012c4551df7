/** Thrown to reject a request. INTERFACE.md doesn't show any errors, so we made up the codes and statuses. */
export class RejectedRequest extends Error {
  override readonly name = 'RejectedRequest';

  constructor(
    readonly status: number,
    message: string,
    readonly code = String(status),
  ) {
    super(message);
  }
}

/** Thrown to reject a request. INTERFACE.md doesn't show any errors, so we made up the codes and statuses. */
export class RejectedRequest extends Error {
  override readonly name = 'RejectedRequest';
  readonly status: number;
  readonly code: string;

  constructor(status: number, message: string, code = String(status)) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

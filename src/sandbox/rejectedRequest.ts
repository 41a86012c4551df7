/** Thrown if the sandbox rejects a request. INTERFACE.md shows no errors, so the codes and statuses are assumed. */
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

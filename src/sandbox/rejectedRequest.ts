/** Thrown if the sandbox rejects a request. The interface shows no errors: codes and statuses are the sandbox's own. */
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

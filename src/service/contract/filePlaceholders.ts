/** What the placeholders of form fields stand for. */
export interface FileFacts {
  readonly fileName: string;
  readonly relativePath: string;
  readonly size: number;
  readonly taskName: string;
  /** Hexadecimal; absent where no field asks for it. */
  readonly sha256?: string;
}

/** The placeholders that form fields may hold. */
export const FILE_PLACEHOLDERS = [
  'fileName',
  'relativePath',
  'size',
  'sha256',
  'taskName',
] as const satisfies readonly (keyof FileFacts)[];

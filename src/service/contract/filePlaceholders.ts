/** What the placeholders of form fields stand for. */
export interface FileFacts {
  readonly fileName: string;
  readonly relativePath: string;
  /** Without the dot, as it is written; empty where the name has none. */
  readonly extension: string;
  /** As the part with the file is sent. */
  readonly mediaType: string;
  readonly size: number;
  /** The name without its extension. */
  readonly taskName: string;
  /** Hexadecimal; absent where no field asks for it. */
  readonly sha256?: string;
}

/** The placeholders that form fields may hold. */
export const FILE_PLACEHOLDERS = [
  'fileName',
  'relativePath',
  'extension',
  'mediaType',
  'size',
  'sha256',
  'taskName',
] as const satisfies readonly (keyof FileFacts)[];

/** The placeholders that the body of a query may hold: the id in the type in which it came, or as is said. */
export const QUERY_PLACEHOLDERS = ['taskId', 'taskId:number', 'taskId:text'] as const;

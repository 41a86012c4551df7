import { GeneratedDocuments } from '../../src/editor/platform/documents';

/** For a sandbox host beside the window's own, to show what it receives. */
export function sandboxDocuments(): GeneratedDocuments {
  return new GeneratedDocuments('dataset-import-sandbox-test', async () => {});
}

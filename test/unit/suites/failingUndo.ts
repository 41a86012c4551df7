// A test file for a separate process, which then fails to clean up.
import { undoAtExit } from '../../editor/undoAtExit';

// Only the exit can end this process.
setInterval(() => {}, 60_000);
undoAtExit(() => console.log('Undone.'));
undoAtExit(() => {
  throw new Error('The folder is still in use.');
});

it('passes', () => {});

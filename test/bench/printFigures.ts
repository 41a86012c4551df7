import { writeFileSync } from 'node:fs';

/** Ends this process when the measurement ends, with its figures on standard output as JSON. */
export function printFigures(measurement: Promise<object>): void {
  measurement.then(
    (figures) => {
      writeFileSync(1, JSON.stringify(figures));
      process.exit(0);
    },
    (error: Error) => {
      console.error(error);
      process.exit(1);
    },
  );
}

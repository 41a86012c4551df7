import { writeFileSync } from 'node:fs';

/** Prints the measured figures as JSON, and exits. */
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

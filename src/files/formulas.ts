/**
 * Where a spreadsheet would begin a formula: at the beginning of a cell, or after what separates cells or rows in the
 * spreadsheets of some countries, whatever quotes and spaces stand between.
 */
const BEGINS = '(?<=^|[;\\t\\r\\n])';
const FORMULA = '(?=["\' ]*[=+\\-@\\t\\r\\uff1d\\uff0b\\uff0d\\uff20])';

/** A cell of a table that no spreadsheet calculates: an apostrophe stands before each formula. */
export function withoutFormulas(cell: string): string {
  return cell.replaceAll(new RegExp(BEGINS + FORMULA, 'g'), "'");
}

/** The cell that was written by `withoutFormulas`. */
export function withFormulas(cell: string): string {
  return cell.replaceAll(new RegExp(`${BEGINS}'${FORMULA}`, 'g'), '');
}

import { l10n } from 'vscode';
import type { StepBox } from '../../platform/window';
import type { Datasets } from '../../services/datasets';

/** The box for the name of a dataset, which no other one has. `present` is the one that it has. */
export function nameBox(datasets: Datasets, value: string, present?: string): StepBox {
  return {
    prompt: l10n.t('Enter a name for the dataset.'),
    placeHolder: l10n.t('Product manuals'),
    value,
    validateInput: (typed) => {
      const name = typed.trim();
      if (name === '') return l10n.t('Enter a name.');
      return name === present ? undefined : datasets.nameFault(name);
    },
  };
}

/** A name that is free: that of the host, with a number where it is taken. */
export function suggestedName(datasets: Datasets, { host }: URL): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? host : `${host} ${number}`;
    if (datasets.nameFault(name) === undefined) return name;
  }
}

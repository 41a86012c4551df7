import fc from 'fast-check';

/** Makes every run use the same cases. Set FC_SEED to try different cases; a failure prints its seed. */
const seed = Number(process.env['FC_SEED'] ?? 20_260_101);
fc.configureGlobal({ seed });

export { fc };

import fc from 'fast-check';

/** The same cases in every run. FC_SEED tries others; a failure prints its seed. */
const seed = Number(process.env['FC_SEED'] ?? 20_260_101);
fc.configureGlobal({ seed });

export { fc };

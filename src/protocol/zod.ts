/** Zod, which says in our words what is wrong with a value. Schemas import it from here; the lint refuses it elsewhere. */
import { config } from 'zod';
import { schemaProblem } from './schema-problem.ts';

config({ customError: schemaProblem });

export * from 'zod';

/**
 * `npm run translations`: lists what is not yet said in German, and German that nobody needs any more. It fails nothing: VS
 * Code shows English where there is no German.
 */
import { join } from 'node:path';
import { translationsToDo } from './generate/translations.ts';

const toDo = translationsToDo(join(import.meta.dirname, '..'));
for (const line of toDo) console.log(line);
console.log(toDo.length === 0 ? 'every text has its German' : `\n${toDo.length} to do`);

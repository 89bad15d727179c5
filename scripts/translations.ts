/**
 * `npm run translations`: lists texts that are not yet said in German, and German that no text needs. The command fails
 * nothing: VS Code shows English where there is no German.
 */
import { join } from 'node:path';
import { translationsToDo } from './generate/translations.ts';

const toDo = translationsToDo(join(import.meta.dirname, '..'));
for (const line of toDo) console.log(line);
console.log(toDo.length === 0 ? 'every text has its German' : `\n${toDo.length} to do`);

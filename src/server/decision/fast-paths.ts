/** The prompts that need no model. The first that matches answers. */
import { dateTime } from './date-time.ts';
import type { FastPath } from './fast-path.ts';
import { greeting } from './greeting.ts';
import { models } from './models.ts';
import { readFile } from './read-file.ts';

export const fastPaths: readonly FastPath[] = [greeting, dateTime, models, readFile];

/**
 * For processes under a strict content security policy: must be the first import of their entry, because a schema decides
 * when it is built whether it compiles itself with `new Function`. Also for those that end before compiling has paid.
 */
import * as z from './zod.ts';

z.config({ jitless: true });

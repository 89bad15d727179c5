/**
 * What is measured is what ships: a library that the bundles take in another form than Node does, is taken in that form here.
 * To be imported before all that needs it.
 */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { yamlWithoutDebugging } from '../scripts/build/build-options.ts';

const yaml = pathToFileURL(join(import.meta.dirname, '..', yamlWithoutDebugging)).href;

registerHooks({
	resolve: (specifier, context, next) =>
		specifier === 'yaml' ? { url: yaml, format: 'module', shortCircuit: true } : next(specifier, context),
});

/**
 * Makes benchmarks measure the shipped code: a library that the bundles take in another form than Node does is taken in
 * that form here.
 * Import this module before everything that needs such a library.
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

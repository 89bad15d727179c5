/** `npm run package`: dist/prowess.vsix from minified bundles, as users install it. */

import { ensureBundles } from './setup/bundles.mjs';
import { explain } from './setup/step-failed.mjs';
import { ensureVsix } from './setup/vsix.mjs';

try {
	await ensureBundles(process.execPath, { isProduction: true });
	console.log(await ensureVsix(process.execPath));
} catch (error) {
	explain(error);
	process.exitCode = 1;
}

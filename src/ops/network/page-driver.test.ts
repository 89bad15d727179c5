import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HttpSite, httpSite } from '../../../test/support/http-site.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { writeFiles } from '../../../test/support/workspace-on-disk.ts';
import { DRIVER, isDriverThere, loadDriver } from './page-driver.ts';

const never = new AbortController().signal;
const root = join(import.meta.dirname, '../../..');

describe('The package that drives browsers', () => {
	let registry: HttpSite | undefined;

	afterEach(() => registry?.close());

	/** A registry on loopback with one small package, and a home that knows of it. */
	async function start() {
		const folder = tempDir('driver');
		await writeFiles(join(folder, 'package'), {
			'package.json': JSON.stringify({
				name: 'small-driver',
				version: '1.0.0',
				main: 'index.js',
				scripts: { prepare: 'touch ran', install: 'touch ran' },
			}),
			'index.js': 'exports.chromium = { name: "small" };',
			'types/index.d.ts': 'export {};',
		});
		execFileSync('tar', ['-czf', 'small-driver-1.0.0.tgz', 'package'], { cwd: folder });
		const bytes = readFileSync(join(folder, 'small-driver-1.0.0.tgz'));
		const pinned = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
		registry = await httpSite(({ path, headers }, response) => {
			if (path.endsWith('.tgz')) {
				response.end(bytes);
				return;
			}
			const dist = { tarball: `http://${headers.host ?? ''}/small-driver-1.0.0.tgz`, integrity: pinned };
			const version = { name: 'small-driver', version: '1.0.0', dist };
			response
				.setHeader('content-type', 'application/json')
				.end(
					JSON.stringify({ name: 'small-driver', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }),
				);
		});
		const home = join(folder, 'home');
		const environment = {
			PATH: process.env['PATH'] ?? '',
			HOME: folder,
			TMPDIR: folder,
			npm_config_registry: `http://127.0.0.1:${registry.port}/`,
		};
		return { home, environment, pinned };
	}

	it('is taken with the bytes that are expected, and no others', async function () {
		this.timeout(60_000);
		const { home, environment, pinned } = await start();
		const wanted = { package: 'small-driver', version: '1.0.0', pinned };
		const other = { ...wanted, pinned: DRIVER.pinned };
		await assert.rejects(loadDriver({ home, environment }, never, other), {
			code: 'DOWNLOAD_FAILED',
			message: /has the content sha512-.*, and expected was sha512-/,
		});
		assert.deepEqual(readdirSync(join(home, 'tools')), []);
		const driver = await loadDriver({ home, environment }, never, wanted);
		assert.deepEqual(driver.chromium, { name: 'small' });
		assert.deepEqual(readdirSync(join(home, 'tools')), ['small-driver-1.0.0']);
		assert.ok(!existsSync(join(home, 'tools/small-driver-1.0.0/types')));
		const asked = registry?.received.length;
		await loadDriver({ home, environment }, never, wanted);
		assert.equal(registry?.received.length, asked);
	});

	it('is the one of the lock file', () => {
		const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
			readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;
		};
		const locked = packages[`node_modules/${DRIVER.package}`];
		assert.deepEqual([locked?.version, locked?.integrity], [DRIVER.version, DRIVER.pinned]);
		assert.equal(isDriverThere({ home: '/nowhere' }), false);
	});
});

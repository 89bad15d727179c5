/**
 * The package of a team, for npm: one program with pg-boss and the driver of PostgreSQL in it. Neither the extension nor the
 * command line holds it; a user takes it with `prowess team join`.
 */

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { TEAM_PACKAGE_FORM } from '../../src/contract/ports/team-port.ts';
import { noticesText } from '../generate/notices.ts';
import { yamlWithoutDebugging } from './build-options.ts';
import { lateSchemas } from './late-schemas.ts';
import { refuseStrayImports } from './refuse-stray-imports.ts';

const PROGRAM = 'team.cjs';

interface PackageJson {
	readonly version: string;
	readonly license: string;
	readonly engines: Readonly<Record<string, string>>;
}

/** Writes the package into the folder, which it makes. Rejects with esbuild's failure. */
export async function buildTeamPackage(root: string, folder: string): Promise<void> {
	mkdirSync(folder, { recursive: true });
	const { metafile } = await esbuild.build({
		absWorkingDir: root,
		entryPoints: ['src/team/team.ts'],
		outfile: join(folder, PROGRAM),
		platform: 'node',
		target: 'node22.12',
		format: 'cjs',
		bundle: true,
		minify: true,
		legalComments: 'none',
		metafile: true,
		logLevel: 'silent',
		// Native, and used only where somebody asks for it by name.
		external: ['pg-native'],
		define: { 'import.meta.url': 'undefined' },
		alias: { yaml: yamlWithoutDebugging },
		plugins: [refuseStrayImports(root), lateSchemas],
	});
	const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as PackageJson;
	const { version, license } = read('package.json');
	const { engines } = read('node_modules/pg-boss/package.json');
	const manifest = {
		name: 'prowess-team',
		version,
		description: 'Lets Prowess keep the jobs of a team in PostgreSQL',
		license,
		main: PROGRAM,
		files: [PROGRAM, 'ThirdPartyNotices.txt'],
		engines: { node: engines['node'] },
		prowess: { team: TEAM_PACKAGE_FORM },
	};
	writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
	const held = Object.keys(metafile.inputs).flatMap(
		(path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
	);
	writeFileSync(
		join(folder, 'ThirdPartyNotices.txt'),
		noticesText(root, (path) => held.includes(path)),
	);
	copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

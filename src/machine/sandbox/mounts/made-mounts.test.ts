import assert from 'node:assert/strict';
import { MadeMounts } from './made-mounts.ts';

/** Parses mounts as the kernel writes them: number, parent, device, what is shown, where. */
function listed(...mounts: readonly string[]): MadeMounts {
	return new MadeMounts(mounts.map((each) => `${each} ro,nosuid - ext4 /dev/vda rw`).join('\n'));
}

const itself = (path: string) => ({ path, from: path });
const machine = '1 0 254:0 / /';
const workspace = '2 1 254:0 /disk/w /w';

describe('The mounts of a sandbox', () => {
	it('are as meant where a place shows itself, in a workspace that lies elsewhere on its disk', () => {
		const made = listed(machine, workspace, '3 2 254:0 /disk/w/.vscode /w/.vscode');
		assert.equal(made.exchanged([itself('/w'), itself('/w/.vscode')]), undefined);
	});

	it('are found where they are made, before that place becomes the root', () => {
		const lines = [
			'1 0 0:5 / /',
			'2 1 254:0 / /newroot',
			'3 2 254:0 /disk/w /newroot/w',
			'4 3 254:0 /disk/w/.vscode /newroot/w/.vscode',
		];
		const made = new MadeMounts(lines.map((each) => `${each} ro - ext4 /dev/vda rw`).join('\n'), '/newroot');
		assert.equal(made.shows('/w', 'disk/w'), true);
		assert.equal(made.exchanged([itself('/w'), itself('/w/.vscode')]), undefined);
		assert.equal(made.exchanged([itself('/w'), itself('/w/.git')]), '/w/.git');
	});

	for (const [title, mount] of [
		['shows another place', '3 2 254:0 /home/one/.ssh /w/.vscode'],
		['shows a place of the same name on another disk', '3 2 254:7 /disk/w/.vscode /w/.vscode'],
		['shows what was removed since', '3 2 254:0 /disk/w/.vscode//deleted /w/.vscode'],
		['lies elsewhere', '3 2 254:0 /disk/w/.vscode /w/moved/.vscode'],
	] as const) {
		it(`are not as meant where one ${title}`, () => {
			const made = listed(machine, workspace, mount);
			assert.equal(made.exchanged([itself('/w'), itself('/w/.vscode')]), '/w/.vscode');
		});
	}

	it('are not as meant where what hides a secret lies elsewhere', () => {
		const binds = [itself('/w'), { path: '/w/a b/.env', from: '/own/empty-file' }];
		const hidden = String.raw`3 2 254:0 /own/empty-file /w/a\040b/.env`;
		assert.equal(listed(machine, workspace, hidden).exchanged(binds), undefined);
		assert.equal(listed(machine, workspace, hidden.replace('b/', 'c/')).exchanged(binds), '/w/a b/.env');
	});

	it('count at a place by the last of them', () => {
		const made = listed(machine, workspace, '3 2 254:0 /disk/w/a /w/a', '4 3 254:0 /etc /w/a');
		assert.equal(made.exchanged([itself('/w'), itself('/w/a')]), '/w/a');
	});

	it('may show other places outside of folders that are shown as they are', () => {
		const made = listed(machine, '2 1 0:40 / /home/one', '3 2 254:0 /home/one/.nvm /home/one/.nvm');
		assert.equal(made.exchanged([itself('/home/one/.nvm')]), undefined);
	});
});

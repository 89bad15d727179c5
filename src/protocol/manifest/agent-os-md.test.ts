import assert from 'node:assert/strict';
import { readAgentOsFile } from './agent-os-md.ts';

const read = (front: string) => readAgentOsFile(`---\n${front}\n---\n\n# About\n`, 'readme.md');

describe('The readme.md of a skill for AgentOS', () => {
	it('gives no permission without front matter, or for a topic that there is not', () => {
		assert.deepEqual(readAgentOsFile('# About\n', 'readme.md').fields['permissions'], []);
		const { fields, problems } = read('id: a\ncapabilities: [http, browser]');
		assert.deepEqual(fields['permissions'], ['http']);
		assert.match(problems[0]?.message ?? '', /nothing here that is called "browser"/);
	});

	it('asks for the permission of each topic once, at the level of the riskiest', () => {
		const { fields } = read('id: a\nname: Shown\ncapabilities: [sql, http, cookie, progress]');
		assert.deepEqual(
			[fields['name'], fields['permissions'], fields['level']],
			['a', ['database', 'http'], 'CONTROLLED'],
		);
		assert.equal(read('capabilities: [shell]').fields['level'], 'RESTRICTED');
		assert.equal(read('capabilities: [shell, secrets]').fields['level'], 'PRIVILEGED');
	});
});

/** What `prowess web` loads: the door for browsers, and the devices that are paired. */
export { openWebDoor } from './web-door.ts';
export { WebDevices } from './web-devices.ts';

export { mountAcquirerNotifications } from "./mount-notifications.ts";

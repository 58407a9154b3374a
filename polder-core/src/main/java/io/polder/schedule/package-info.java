/**
 * Numbers that change over the steps of a run. A package of its own, because the learning rate ({@code optim}) and the
 * penalty's coefficients ({@code penalty}) share it and must not know one another.
 */
package io.polder.schedule;

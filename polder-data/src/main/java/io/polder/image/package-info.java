/**
 * Images as files and as pixels: decoding, cropping and resizing, encoding.
 *
 * <p>The only package that meets OpenCV, and it shows nobody its types: what goes in and out is arrays of bytes, pixels in
 * row-major order of height, width and channel, colours in the order red, green, blue. What to take of an image is
 * {@link io.polder.image.Frame}'s to say; where images come from and what is random about them is
 * {@link io.polder.data}'s business.
 */
package io.polder.image;
